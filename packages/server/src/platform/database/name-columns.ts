/**
 * Returns a name and its form for comparison, which ignores upper and lower case in the same way on
 * every database.
 */
export function nameColumns(name: string): {
  readonly name: string;
  readonly comparable_name: string;
} {
  return { name, comparable_name: name.trim().toLowerCase() };
}
