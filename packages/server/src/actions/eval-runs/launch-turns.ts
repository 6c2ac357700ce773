/**
 * Launches of one organization follow each other in the database. Those of one process line up here already, a few at
 * once, so that a crowd of them waits without holding the connections that others need. A launch whose caller was told
 * meanwhile that it took too long does not begin any more.
 */
import { Turns } from '@proofmark/domain';

const atOnce = 3;
const lines = new Map<string, { readonly turns: Turns; length: number }>();

export async function inTurn<Result>(
  organizationId: string,
  launch: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const line = lines.get(organizationId) ?? { turns: new Turns(atOnce), length: 0 };
  lines.set(organizationId, line);
  line.length += 1;
  try {
    return await line.turns.run(async () => {
      signal?.throwIfAborted();
      return launch();
    });
  } finally {
    line.length -= 1;
    if (line.length === 0) lines.delete(organizationId);
  }
}
