export * from './mcp-tools/call-mcp-tool.ts';
export * from './mcp-tools/mcp-tool.ts';
export * from './mcp-tools/tool-input.ts';
export * from './mcp-tools/tool-result.ts';
export * from './mcp-tools/tool-rows.ts';
