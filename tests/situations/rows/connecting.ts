/**
 * Answers to the handshake. A server that answered was reached, so a bad answer is its failure.
 * Rejected credentials count against neither side.
 */
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { selfSignedCertificate } from '@proofmark/harness/mcp-servers/self-signed-certificate.ts';
import { weatherCase } from '../cases.ts';
import { notOpened, setUpFailed } from '../expectations.ts';
import { stdio } from '../servers/stdio-servers.ts';
import {
  atConnect,
  cut,
  error,
  html,
  raw,
  silence,
  status,
  weather,
} from '../servers/weather-server.ts';
import type { RunSituation, ServerStart, StartedServer, Theme } from '../situation.ts';

const theirs: Readonly<Record<string, FakeAnswer>> = {
  'HTTP 400': status(400),
  'HTTP 404': status(404),
  'HTTP 405': status(405),
  'HTTP 500': status(500),
  'HTTP 502': status(502),
  'HTTP 503 without a time to wait': status(503),
  'a page of HTML': html(),
  'a page of HTML with HTTP 500': html(500),
  'no body at all': status(200),
  'JSON that is no message': raw('{"hello":"world"}'),
  'text that is no JSON': raw('hello'),
  'a result of another shape': { hello: 'world' },
  'an unknown version of the protocol': {
    protocolVersion: '1999-01-01',
    capabilities: {},
    serverInfo: { name: 'old', version: '1' },
  },
  'the error -32603': error(-32_603),
  'the error -32000': error(-32_000),
  'the error -32001': error(-32_001),
  'the error -32099': error(-32_099),
};

const refused: Readonly<Record<string, FakeAnswer>> = {
  'HTTP 401': status(401, { 'www-authenticate': 'Bearer' }),
  'HTTP 403': status(403),
  'HTTP 407': status(407),
};

function row(what: string, server: ServerStart, trial: RunSituation['expected']['trials'][0]) {
  const expected = { verdict: 'inconclusive' as const, trials: [trial] };
  return { name: what, servers: { A: server }, cases: [weatherCase([])], expected };
}

const unmeasured = { selection: 'setupAborted', userValue: 'setupAborted' } as const;

async function selfSigned(): Promise<StartedServer> {
  const server = createTlsServer(selfSignedCertificate(), (_, response) => response.end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => void server.close().closeAllConnections();
  return { url: `https://localhost:${port}/mcp`, stop };
}

/**
 * Returns a row in which the service's egress check fails. A server that answers was reached
 * anyway.
 */
function withoutEgress(
  what: string,
  server: ServerStart,
  trial: RunSituation['expected']['trials'][0],
): RunSituation {
  return {
    ...row(what, server, trial),
    alone: true,
    before: (fixture) => fixture.restartWorker({ egressWorks: false }),
    after: (fixture) => fixture.restartWorker(),
  };
}

export const connecting: Theme = {
  theme: 'connecting',
  situations: [
    ...Object.entries(theirs).map(([what, answer]) =>
      row(
        `the handshake is answered with ${what}`,
        weather({ answers: atConnect(answer) }),
        notOpened('connection', { rows: { discovery: 'earlierStageFailed' } }),
      ),
    ),
    ...Object.entries(refused).map(([what, answer]) =>
      row(
        `the handshake is answered with ${what}`,
        weather({ answers: atConnect(answer) }),
        setUpFailed({ rows: { connection: 'setupAborted', ...unmeasured } }),
      ),
    ),
    row(
      'nobody listens at the address',
      async () => ({ url: 'http://127.0.0.1:9/mcp', stop: async () => undefined }),
      notOpened('connection', { says: [/could not be reached/] }),
    ),
    row(
      'the name of the server is not known to any name server',
      async () => ({ url: 'http://no-such-host.invalid/mcp', stop: async () => undefined }),
      setUpFailed({ rows: { connection: 'setupAborted', ...unmeasured } }),
    ),
    row(
      'the server never answers the handshake',
      weather({ answers: atConnect(silence), saved: { timeout: 400 } }),
      setUpFailed({ rows: { connection: ['egressUnverified', 'setupAborted'], ...unmeasured } }),
    ),
    row(
      'the connection is cut before any answer',
      weather({ answers: atConnect(cut) }),
      notOpened('connection'),
    ),
    row('the certificate is vouched for by nobody', selfSigned, notOpened('connection')),
    row(
      'a program that is no server is started',
      stdio('says-nothing'),
      // The program certainly ended by itself, so our egress is not the cause.
      notOpened('connection'),
    ),
    withoutEgress(
      'nobody listens, and our own egress is broken',
      async () => ({ url: 'http://127.0.0.1:9/mcp', stop: async () => undefined }),
      setUpFailed({ rows: { connection: 'egressUnverified', ...unmeasured } }),
    ),
    withoutEgress(
      'the handshake is answered with HTTP 500, and our own egress is broken',
      weather({ answers: atConnect(status(500)) }),
      notOpened('connection'),
    ),
  ],
};
