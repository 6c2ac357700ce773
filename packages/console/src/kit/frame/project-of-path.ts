export function projectOfPath(pathname: string): string | undefined {
  return /^\/projects\/(prj_\w+)/.exec(pathname)?.[1];
}
