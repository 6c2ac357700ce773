export declare function findNginx(options: { install: boolean }): string | undefined;
