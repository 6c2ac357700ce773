import { isRecord } from '@proofmark/domain';
import type { ToolResultPart } from '../outside/model/model-gateway.ts';

export interface LinkingServer {
  readonly serverId: string;
  readonly serverName: string;
}

/** The maximum number of links in one trial. Later links cannot be read. */
const mostLinks = 1_000;
const longestUri = 2_048;

export class LinkedResources {
  readonly #servers = new Map<string, LinkingServer[]>();
  readonly #reads = new Map<number, number>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  add({ serverId, serverName }: LinkingServer, output: ToolResultPart['output']): void {
    const content =
      output.type === 'json' && isRecord(output.value) ? output.value['content'] : undefined;
    if (!Array.isArray(content)) return;
    for (const block of content) {
      if (!isRecord(block) || block['type'] !== 'resource_link') continue;
      const { uri } = block;
      if (typeof uri !== 'string' || uri.length > longestUri || this.#count >= mostLinks) continue;
      const known = this.serversOf(uri);
      if (known.some((one) => one.serverId === serverId)) continue;
      this.#servers.set(uri, [...known, { serverId, serverName }]);
      this.#count += 1;
    }
  }

  serversOf(uri: string): readonly LinkingServer[] {
    return this.#servers.get(uri) ?? [];
  }

  readsIn(promptIndex: number): number {
    return this.#reads.get(promptIndex) ?? 0;
  }

  countRead(promptIndex: number): void {
    this.#reads.set(promptIndex, this.readsIn(promptIndex) + 1);
  }
}
