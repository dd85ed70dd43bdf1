// Package apidoc writes the interfaces of legctl down for other programs and
// for people: docs/asyncapi.yaml and the tables of docs/mqtt.md from the types
// and tables of package telemetry, docs/openapi.yaml from a table of routes, and
// the table of docs/metrics.md.
//
// Schemas are made from Go types: the tag json names a key, doc explains it and
// unit gives its unit. A telemetry.Num may be null.
//
// Sources: AsyncAPI 3.0.0 with the MQTT bindings 0.2.0, OpenAPI 3.1.0, JSON
// Schema 2020-12.
package apidoc
