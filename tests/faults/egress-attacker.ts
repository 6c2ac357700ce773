import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, isIPv6 } from 'node:net';
import { addresses, canaryPorts, names, webPort } from './egress-attempts.ts';

export async function startCanaries(
  ports: readonly number[] = canaryPorts,
): Promise<Map<string, number>> {
  const hits = new Map<string, number>();
  for (const address of addresses.canaries) {
    for (const port of ports) {
      const server = createTcpServer((socket) => {
        hits.set(address, (hits.get(address) ?? 0) + 1);
        socket.on('error', () => undefined);
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
      });
      server.listen(port, address);
      await once(server, 'listening');
    }
  }
  return hits;
}

export async function startNameServer(): Promise<void> {
  const asked = new Map<string, number>();
  const server = createSocket('udp4');
  server.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    const answers = names[name];
    const wanted = type === 1 ? 4 : type === 28 ? 6 : 0;
    const key = `${name} ${type}`;
    const turn = asked.get(key) ?? 0;
    asked.set(key, turn + 1);
    const found = (answers?.[turn % answers.length] ?? []).filter(
      (address) => (isIPv6(address) ? 6 : 4) === wanted,
    );
    const header = Buffer.from(query.subarray(0, 12));
    // The flags of a recursive server's answer: "no such name" for unknown names, otherwise no
    // error.
    header.writeUInt16BE(answers === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8);
    const records = found.map((address) => recordOf(type, address));
    server.send(
      Buffer.concat([header, query.subarray(12, end), ...records]),
      from.port,
      from.address,
    );
  });
  server.bind(53, '127.0.0.1');
  await once(server, 'listening');
}

/**
 * Starts the attacker's web server. The request path is `/<pointer>/<encoded address>`: the pointer
 * is the place in the answer, for example a redirect, that names the address.
 */
export async function startAttacker(port = webPort): Promise<void> {
  const server = createServer((request, response) => {
    // The connection is closed so that each call must resolve the name again. On a kept connection,
    // a changed address would have no effect.
    response.setHeader('connection', 'close');
    void answer(request, response);
  });
  server.listen(port, addresses.attacker);
  await once(server, 'listening');
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const own = `http://${request.headers.host}`;
  const path = request.url ?? '/';
  const [, , rest = ''] = /^(\/\.well-known\/[^/]+)?(\/.*)$/.exec(path) ?? [];
  const [, pointer = '', encoded = ''] = rest.split('/');
  const target = decodeURIComponent(encoded);
  if (path.startsWith('/.well-known/oauth-protected-resource')) {
    const issuer = pointer === 'authorization-server' ? target : `${own}${rest}`;
    if (pointer === 'metadata-redirect') redirect(response, 302, target);
    else json(response, { resource: `${own}${rest}`, authorization_servers: [issuer] });
  } else if (path.startsWith('/.well-known/')) {
    json(response, {
      issuer: `${own}${rest}`,
      authorization_endpoint: `${own}/authorize`,
      token_endpoint: pointer === 'token-endpoint' ? target : `${own}/token`,
      registration_endpoint: target,
      jwks_uri: target,
      response_types_supported: ['code'],
    });
  } else if (pointer.startsWith('redirect-')) {
    redirect(response, Number(pointer.slice(9)), target);
  } else if (pointer === 'stream-redirect') {
    if (request.method === 'GET') redirect(response, 302, target);
    else response.writeHead(405).end();
  } else if (pointer === 'sse-endpoint') {
    if (request.method !== 'GET') response.writeHead(405).end();
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${target}\n\n`);
    }
  } else {
    const metadata =
      pointer === 'resource-metadata'
        ? target
        : `${own}/.well-known/oauth-protected-resource${path}`;
    const header = `Bearer resource_metadata="${metadata}"`;
    response.writeHead(401, { 'www-authenticate': header }).end();
  }
}

function redirect(response: ServerResponse, status: number, location: string): void {
  response.writeHead(status, { location }).end();
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordOf(type: number, address: string): Buffer {
  const data = isIPv6(address) ? v6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  // A compression pointer to the name in the question, followed by type, class (internet) and
  // lifetime (zero seconds).
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function v6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::');
  const words = (side: string) =>
    side
      .split(':')
      .filter(Boolean)
      .map((word) => Number.parseInt(word, 16));
  const filled = [...words(left), ...Array<number>(8).fill(0)].slice(0, 8 - words(right).length);
  return Buffer.from([...filled, ...words(right)].flatMap((word) => [word >> 8, word & 255]));
}
