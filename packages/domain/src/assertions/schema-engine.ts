/**
 * Validates a value against a JSON Schema, with an engine from the caller. The engine's work is
 * limited: a schema or value that would take too long is reported as not checked.
 */
export interface SchemaEngine {
  check(
    schema: unknown,
    value: unknown,
  ):
    | { readonly state: 'valid' }
    | { readonly state: 'invalid'; readonly problem: string }
    | { readonly state: 'notChecked'; readonly problem: string };
}
