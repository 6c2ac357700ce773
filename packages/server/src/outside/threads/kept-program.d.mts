import type { BuildOptions } from 'esbuild';

/** The folder is named after what is kept in it; one file has one set of options in each. */
export function keptProgram(file: string, folder: string, options: BuildOptions): string;
/** Puts a file there as a whole, whoever else does. */
export function writeWhole(file: string, text: string): void;
