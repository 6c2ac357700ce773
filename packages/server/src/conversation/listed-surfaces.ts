/**
 * Shares listed tools between trials. Every trial lists the tools in its own sessions, but the
 * lists are nearly always equal. Equal lists become one array, and equal sets of lists become one
 * `ToolSurface`. So everything derived from them is built only once.
 */

import { hash } from 'node:crypto';
import { canonicalToolSurface, type Json } from '@proofmark/domain';
import { sha256Hex } from '../kernel/sha256-hex.ts';
import type { ToolSurface } from './trial-record.ts';

interface Listed {
  readonly key: string;
  readonly tools: readonly Json[];
  readonly spelled: string;
}

export class ListedSurfaces {
  readonly #lists = new Map<string, Listed>();
  readonly #surfaces = new Map<string, ToolSurface>();

  share(tools: readonly Json[]): readonly Json[] {
    return this.#listed(tools).tools;
  }

  of(servers: readonly { readonly id: string; readonly tools: readonly Json[] }[]): ToolSurface {
    const listed = servers
      .map(({ id, tools }) => ({ id, ...this.#listed(tools) }))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const key = listed.map((one) => `${one.id} ${one.key}`).join('\n');
    const known = this.#surfaces.get(key);
    if (known !== undefined) return known;
    const spelled = listed.map(({ id, spelled: text }) => `${JSON.stringify(id)}:${text}`);
    const text = `{${spelled.join(',')}}`;
    const surface = { text, hash: sha256Hex(text) };
    if (this.#surfaces.size >= mostKept) this.#surfaces.clear();
    this.#surfaces.set(key, surface);
    return surface;
  }

  #listed(tools: readonly Json[]): Listed {
    const known = byArray.get(tools);
    if (known !== undefined) return known;
    const key = hash('sha256', JSON.stringify(tools), 'base64');
    const same = this.#lists.get(key);
    if (same !== undefined) return same;
    const listed = { key, tools, spelled: canonicalToolSurface(tools) };
    if (this.#lists.size >= mostKept) this.#lists.clear();
    this.#lists.set(key, listed);
    byArray.set(tools, listed);
    return listed;
  }
}

const byArray = new WeakMap<readonly Json[], Listed>();
/**
 * The maximum number of different lists to keep, because a server may list different tools every
 * time.
 */
const mostKept = 16;
