/** Returns the project id in a page's address. */
export function projectOfPath(pathname: string): string | undefined {
  return /^\/projects\/(prj_\w+)/.exec(pathname)?.[1];
}
