import type { BuildOptions } from 'esbuild';

/** The folder is named after its content; each has one set of options per file. */
export function keptProgram(file: string, folder: string, options: BuildOptions): string;
/** Writes a complete file in one step, even beside concurrent writers. */
export function writeWhole(file: string, text: string): void;
