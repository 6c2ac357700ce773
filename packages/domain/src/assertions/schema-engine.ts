/**
 * Holds a value against a JSON Schema, given by the caller. Its work is bounded: a schema or value that would take too
 * long is not checked, and says so.
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
