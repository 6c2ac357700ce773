export type TestSet = 'rules' | 'every run' | 'rest';
export declare const namedFiles: readonly string[];
export declare const promisesOfRest: Readonly<Record<string, string>>;
export declare function testFiles(folder?: string): string[];
export declare function setOf(file: string): TestSet;
export declare function isNamed(file: string, name: string): boolean;
export declare function isJourney(file: string): boolean;
export declare function filesOf(
  command: 'every run' | 'rest' | 'all',
  files?: readonly string[],
): string[];
export declare function filesOnVersions(files?: readonly string[]): string[];
