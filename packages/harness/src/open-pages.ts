const pages = new Map<object, () => Promise<string>>();

export function keepOpenPage(page: object, describe: () => Promise<string>): void {
  pages.set(page, describe);
}

export function forgetOpenPage(page: object): void {
  pages.delete(page);
}

export async function describeOpenPages(): Promise<readonly string[]> {
  return Promise.all([...pages.values()].map((describe) => describe()));
}
