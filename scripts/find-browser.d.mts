export declare function findBrowser(options: { install: boolean }): string | undefined;
