import { call, signInAs, type TestAnswer, type TestService } from './test-service.ts';

export interface ConsolePerson {
  readonly accountId: string;
  readonly email: string;
  readonly headers: Record<string, string>;
  ask(method: string, path: string, body?: unknown): Promise<TestAnswer>;
}

export async function consolePerson(
  service: TestService,
  account: { readonly accountId: string; readonly email: string },
): Promise<ConsolePerson> {
  const headers = await signInAs(service, account.accountId);
  return {
    ...account,
    headers,
    ask: (method, path, body) =>
      call(`${service.baseUrl}/console/v1/${path}`, { method, headers, body }),
  };
}

let made = 0;

export async function newConsolePerson(
  service: TestService,
  organization: string,
  role: 'owner' | 'admin' | 'member',
): Promise<ConsolePerson> {
  made += 1;
  const email = `${role}-${made}@people.example`;
  const { accountId } = await service.operator.addMember(organization, email, role);
  return consolePerson(service, { accountId, email });
}
