import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mostResultCharacters } from '@proofmark/contract/mcp-tools';
import { insertProject } from '@proofmark/harness/eval-rows.ts';
import { createReporter, failing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let mine: Tenant;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'acme');
});
afterAll(() => service.stop());

async function connect(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${mine.key}` };
  const url = new URL(`${service.baseUrl}/mcp`);
  // Under exactOptionalPropertyTypes, the library's class does not match its own interface, so a
  // cast is needed.
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as never,
  );
  return client;
}

/** As long as real sessions: the title is one sentence, and the first message fills its preview. */
const session = (at: number) => ({
  ...failing,
  caseTitle: `Session ${at}: ${'a guest asks for a table. '.repeat(6)}`,
  trace: { messages: [{ role: 'user', content: `${at}: ${'Is a table free? '.repeat(20)}` }] },
});

interface Page {
  readonly items: readonly { readonly id: string; readonly link: { readonly path: string } }[];
  readonly nextCursor?: string;
}

test.each([40, 200])(
  '%i sessions are listed as far as they are short enough, and walked to the last',
  async (sessions) => {
    const { projectId } = await insertProject(service, mine);
    const results = Array.from({ length: sessions }, (_, at) => session(at));
    const body = { suiteName: unique('Suite'), results };
    const reported = await createReporter(service, mine).ingest('report', body, {
      project: projectId,
    });
    expect(reported.status, reported.text).toBe(200);
    const client = await connect();
    try {
      const walked: string[] = [];
      let [limit, cursor, notes]: [number, string | undefined, number] = [200, undefined, 0];
      for (let isLast = false; !isLast; ) {
        const given = { projectId, limit, ...(cursor !== undefined && { cursor }) };
        const result = await client.callTool({ name: 'listSessions', arguments: given });
        const [text, note] = result.content as { text: string }[];
        expect(result.isError, text?.text).toBeUndefined();
        expect(text?.text.length).toBeLessThanOrEqual(mostResultCharacters);
        const page = result.structuredContent as unknown as Page;
        expect(page.items.length).toBeGreaterThan(0);
        const [, again] = /call again with limit (\d+)/.exec(note?.text ?? '') ?? [];
        if (again !== undefined) {
          // The note must name the number of items that were returned.
          expect(note?.text).toContain(`items (${again} of `);
          expect(Number(again)).toBe(page.items.length);
          notes += 1;
          limit = Number(again);
          continue;
        }
        // Every item has a link to its page.
        for (const { link } of page.items) expect(link.path).toMatch(/\/trials\/\w+$/);
        walked.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
        isLast = cursor === undefined;
      }
      expect(notes).toBeGreaterThan(0);
      expect(new Set(walked).size).toBe(sessions);
      expect(walked).toHaveLength(sessions);
    } finally {
      await client.close();
    }
  },
);
