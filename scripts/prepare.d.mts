export declare function prepare(options: { build: boolean }): Promise<void>;
