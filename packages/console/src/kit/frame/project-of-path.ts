/** Returns the project in the address of a page. */
export function projectOfPath(pathname: string): string | undefined {
  return /^\/projects\/(prj_\w+)/.exec(pathname)?.[1];
}
