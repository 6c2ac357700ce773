/** All rows, by theme. */
import { connecting } from './rows/connecting.ts';
import type { Theme } from './situation.ts';

export const themes: readonly Theme[] = [connecting];
