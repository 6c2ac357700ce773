export function thirdPartyNotices(files: Iterable<string>): string;
export function packageFolderOf(file: string): string | undefined;
export function mappedSources(folder: string): string[];
