import type { Plugin } from 'esbuild';

export function directImports(root: string): Plugin;
