package configs

// neutrals places the feet the file does not.
func (b *rigBuilder) neutrals() {}
