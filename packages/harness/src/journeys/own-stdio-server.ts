/** A small MCP server over stdio, written without a library, as in a user's repository. */
import { writeFileSync } from 'node:fs';

export interface OwnServer {
  readonly toolName?: string;
  /** The message of an error that the server throws at its start. */
  readonly crash?: string;
  readonly callMs?: number;
  /** Further tools. */
  readonly others?: readonly OwnTool[];
  readonly first?: string;
  /** The HTML of the first tool's widget. */
  readonly widget?: string;
}

interface OwnTool {
  readonly name: string;
  readonly description: string;
  /** A JavaScript expression for the text of the answer. */
  readonly says: string;
}

export function writeOwnServer(file: string, server: OwnServer = {}): void {
  const { toolName = 'opening_time', crash, callMs = 0, others = [], first = '', widget } = server;
  const opening = { name: toolName, description: 'Tells when the shop opens today.' };
  const inputSchema = { type: 'object' };
  const tools = [
    { ...opening, inputSchema, annotations: { readOnlyHint: true }, ...(widget && namesWidget) },
    ...others.map(({ name, description }) => ({ name, description, inputSchema })),
  ];
  const texts = others.map(({ name, says }) => `${JSON.stringify(name)}: ${says},`);
  writeFileSync(
    file,
    `${crash === undefined ? '' : `throw new Error(${JSON.stringify(crash)});`}
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
${first}
const widget = ${JSON.stringify({ uri: widgetUri, mimeType: 'text/html;profile=mcp-app', text: widget ?? '' })};
const texts = { ${texts.join(' ')} };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}${widget === undefined ? '' : ', resources: {}'} },
    serverInfo: { name: 'shop', version: '1' },
  }),
  'tools/list': () => ({ tools: ${JSON.stringify(tools)} }),
  'tools/call': async ({ name }) => {
    await sleep(${callMs});
    return { content: [{ type: 'text', text: texts[name] ?? 'At nine.' }] };
  },
};
if (widget.text !== '') answers['resources/read'] = () => ({ contents: [widget] });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const rest = answer
    ? { result: await answer(params) }
    : { error: { code: -32601, message: 'There is no such method.' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
}
`,
  );
}

const widgetUri = 'ui://shop/opening.html';
const namesWidget = { _meta: { ui: { resourceUri: widgetUri } } };
