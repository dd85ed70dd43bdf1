# The page: bundled from web/page by npm packages of a lock file.
.PHONY: page screenshots

# PAGE=no builds a binary without it, for machines without npm.
page: ## bundle web/page into web/dist (node and npm are installed where missing)
	@[ "$(PAGE)" = no ] || scripts/page.sh

screenshots: build ## docs/img/page-*.png, by the page itself in a browser
	@scripts/screenshots.sh
