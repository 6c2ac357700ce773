/** A name, and how it is compared: the same whatever the case, on every database. */
export function nameColumns(name: string): {
  readonly name: string;
  readonly comparable_name: string;
} {
  return { name, comparable_name: name.trim().toLowerCase() };
}
