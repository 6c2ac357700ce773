/**
 * Baseline: a bare node:http server that sends the same headers and body as the service, and prints
 * its cost in the same format.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  headers: Record<string, string>;
  body: string;
};

const server = createServer((request, response) => {
  if (request.url === '/metrics') {
    const { user, system } = process.cpuUsage();
    response.end(`proofmark_process_cpu_seconds_total ${(user + system) / 1e6}\n`);
    return;
  }
  response.writeHead(200, answer.headers);
  response.end(answer.body);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ event: 'ready', url: `http://127.0.0.1:${port}` }));
});
process.on('SIGTERM', () => process.exit(0));
