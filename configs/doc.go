// Package configs holds the shipped YAML (rigs, gaits, terrains, worlds) and
// the only loader of such files. What it returns is checked and in SI units;
// core types carry no tags and never see a file.
//
// A key carries its unit: mount_m or mount_mm, limits_deg or limits_rad. Every
// fault of a file is reported at once, each with file, line, column, excerpt
// and the bound it breaks; an unknown key is refused with the nearest known
// one. Size and nesting are capped before the parser sees a byte, because deep
// nesting exhausts its memory. Anchors, aliases, tags and merge keys are
// refused: no shipped file needs them and aliases can grow without end.
//
// One set of structs with tags (key, unit, in, default, doc) drives decoding,
// the JSON schemas in docs/schema and the reference docs/config.md.
package configs
