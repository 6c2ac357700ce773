/**
 * Opens sessions through the MCP gateway of the service, keeps them open, and prints the cost per
 * session.
 */
import { setTimeout as after } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMcpGateway } from '../../packages/server/src/outside/mcp/create-mcp-gateway.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const [url = ''] = process.argv.slice(2);
const sessions = 400;
const atOnce = 20;
const idleMs = 5000;

const gateway = createMcpGateway({
  egress: { allowLoopback: true, allowedPrivateHosts: [] },
  client: { name: 'capacity', version: '1' },
});
await open('warm-up', 100);
const before = await rest();
await open('measured', sessions);
const after400 = await rest();
console.log(
  JSON.stringify({
    heapBytes: (after400.heap - before.heap) / sessions,
    residentBytes: (after400.resident - before.resident) / sessions,
    idleCpu: Math.max(0, after400.cpu - before.cpu) / sessions,
  }),
);
await gateway.close();
process.exit(0);

/**
 * Opens `count` sessions, spread over several organizations. Each session lists its tools and calls
 * one of them.
 */
async function open(name: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += atOnce) {
    const group = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => {
      const identity = `${name}-${first + index}`;
      const organizationId = `${name}-${Math.floor((first + index) / atOnce)}`;
      const address = { kind: 'http', url, headers: {} } as const;
      return gateway.use(
        { organizationId, serverId: identity, identity, address },
        async (session) => {
          await session.listAll('tools');
          await session.callTool('structured', { city: 'Brno' });
        },
      );
    });
    await Promise.all(group);
  }
}

/** Returns the memory, and the CPU per second, of the idle process. */
async function rest(): Promise<{ heap: number; resident: number; cpu: number }> {
  await after(500);
  collect();
  await after(200);
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  const cpu = process.cpuUsage();
  await after(idleMs);
  const { user, system } = process.cpuUsage(cpu);
  return { heap: heapUsed + external, resident: rss, cpu: (user + system) / 1e6 / (idleMs / 1000) };
}
