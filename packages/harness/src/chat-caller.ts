/**
 * Calls the playground over HTTP as its page does. The response is a series of lines: progress
 * first, then the result.
 */
import { consolePerson, newConsolePerson } from './console-person.ts';
import { unique } from './reporter.ts';
import { call, type TestAnswer, type TestService } from './test-service.ts';
import type { Tenant } from './two-tenants.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

export interface ChatAnswer extends TestAnswer {
  readonly shown: readonly Answer[];
  readonly result: Answer;
}

export class ChatCaller {
  readonly headers: Record<string, string>;
  readonly #projectUrl: string;

  constructor(baseUrl: string, projectId: string, headers: Record<string, string>) {
    this.headers = headers;
    this.#projectUrl = `${baseUrl}/console/v1/projects/${projectId}`;
  }

  send(method: string, path: string, body?: object): Promise<TestAnswer> {
    const url = `${this.#projectUrl}/${path}`;
    return call(url, { method, headers: this.headers, ...(body && { body }) });
  }

  async begin(body: object): Promise<string> {
    const made = await this.send('POST', 'chat-sessions', body);
    if (made.status !== 201) throw new Error(made.text);
    return made.body.id;
  }

  async read(id: string): Promise<Answer> {
    return (await this.send('GET', `chat-sessions/${id}`)).body;
  }

  async sendMessage(id: string, text: string, more: object = {}): Promise<ChatAnswer> {
    const answer = await call(`${this.#projectUrl}/chat-sessions/${id}/turns`, {
      method: 'POST',
      headers: { ...this.headers, accept: 'application/x-ndjson' },
      body: { text, messageId: unique('message'), ...more },
    });
    if (answer.body !== undefined) return { ...answer, shown: [], result: undefined };
    const lines: Answer[] = answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const shown = lines.flatMap(({ progress }) => progress ?? []);
    const last = lines.at(-1);
    return { ...answer, shown, result: last.result ?? last.error };
  }

  async until(id: string, isSo: (session: Answer) => boolean): Promise<Answer> {
    for (let tries = 0; ; tries += 1) {
      const session = await this.read(id);
      if (isSo(session)) return session;
      if (tries > 300)
        throw new Error(`The awaited state did not come in time: ${JSON.stringify(session)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export async function ownerInPlayground(
  service: TestService,
  tenant: Tenant,
  baseUrl = service.baseUrl,
): Promise<ChatCaller> {
  const account = { accountId: tenant.accountId, email: 'owner@acme.example' };
  const { headers } = await consolePerson(service, account);
  return new ChatCaller(baseUrl, tenant.projectId, { ...headers, origin: baseUrl });
}

export async function colleagueInPlayground(
  service: TestService,
  tenant: Tenant,
): Promise<ChatCaller> {
  const { headers } = await newConsolePerson(service, tenant.organizationId, 'member');
  return new ChatCaller(service.baseUrl, tenant.projectId, headers);
}
