import { FastMCP, UserError } from 'fastmcp';
import * as z from 'zod';

const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
server.addTool({
  name: 'weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `It is sunny in ${city}.`,
});
server.addTool({
  name: 'tide',
  description: 'The tide at a harbour.',
  parameters: z.object({ harbour: z.string() }),
  execute: async () => {
    throw new UserError('There is no such harbour.');
  },
});
await server.start({ transportType: 'httpStream', httpStream: { port: 0, host: '127.0.0.1' } });
