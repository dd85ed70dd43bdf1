# Documents made from the product.
.PHONY: docs pictures

docs: ## docs/cli.md, docs/config.md and the pictures, from the program itself
	@scripts/docs.sh

pictures: ## docs/img only
	@scripts/pictures.sh
