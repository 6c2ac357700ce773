/**
 * Shares listed tools. Every trial lists the tools in its own session, and they are nearly always
 * the same. Equal lists become one array, and equal sets of lists one surface, compared by content.
 * So everything derived from a list (its canonical text, the tools offered to a model) is built
 * once.
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

  /** Returns the one array for all lists equal to this one. */
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
/** Bounded, since a server may list something else every time. */
const mostKept = 16;
