/**
 * Clients that create projects one after the other. Acknowledged projects are recorded at once, and
 * compared with the stored ones later.
 */

import { until } from '@proofmark/harness/journeys/until.ts';
import { call, type TestAnswer } from '@proofmark/harness/test-service.ts';

export interface WriteLoad {
  readonly acknowledged: readonly string[];
  readonly refused: readonly TestAnswer[];
  readonly unanswered: readonly string[];
  untilAcknowledged(more: number): Promise<void>;
  stop(): Promise<void>;
}

export function startWriteLoad(
  url: string,
  key: string,
  options: { clients?: number; headers?: Record<string, string> } = {},
): WriteLoad {
  const acknowledged: string[] = [];
  const refused: TestAnswer[] = [];
  const unanswered: string[] = [];
  const name = crypto.randomUUID();
  let going = true;
  let number = 0;
  const clients = Array.from({ length: options.clients ?? 6 }, async () => {
    while (going) {
      number += 1;
      try {
        const answer = await call(`${url}/api/v1/projects`, {
          method: 'POST',
          key,
          headers: options.headers ?? {},
          body: { name: `${name} ${number}` },
        });
        if (answer.status === 201) acknowledged.push(answer.body.id);
        else refused.push(answer);
      } catch (error) {
        unanswered.push(codeOf(error));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  });
  return {
    acknowledged,
    refused,
    unanswered,
    async untilAcknowledged(more) {
      const target = acknowledged.length + more;
      await until(() => acknowledged.length >= target, 'enough writes are acknowledged');
    },
    async stop() {
      going = false;
      await Promise.all(clients);
    },
  };
}

export async function listProjectIds(url: string, key: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page = await call(`${url}/api/v1/projects${query}`, { key });
    if (page.status !== 200) throw new Error(page.text);
    for (const { id } of page.body.items) ids.add(id);
    cursor = page.body.nextCursor;
    if (cursor === undefined) return ids;
  }
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return code ?? (cause === undefined ? String(error) : codeOf(cause));
}
