# Linters and formatting. golangci-lint has a module of its own (tools/), so
# that its hundreds of modules stay out of legctl's.
.PHONY: lint fmt vet staticcheck format

lint: ## golangci-lint with .golangci.yml (the first run builds it: minutes)
	@scripts/lint.sh run

fmt: ## format every Go file
	@scripts/lint.sh fmt

vet:
	@go vet ./...

staticcheck:
	@go tool staticcheck ./...

# What gofmt itself can prove; lint asks for more.
format:
	@out=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$out" ]; then echo "not gofmt'ed:"; echo "$$out"; exit 1; fi
