type Environment = Readonly<Record<string, string | undefined>>;

export declare function installedChromium(environment: Environment): string | undefined;
export declare function installedShell(environment: Environment): string | undefined;
export declare function installedWhole(environment: Environment): string | undefined;
export declare function isProgram(file: string): boolean;
