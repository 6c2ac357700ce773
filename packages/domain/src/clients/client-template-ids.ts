/** A product name only says which client a template resembles. */
export const clientTemplateIds = [
  'proofmark',
  'claude',
  'claude-code',
  'chatgpt',
  'mistral',
  'goose',
  'slack',
  'cursor',
  'codex',
  'copilot',
  'vscode',
  'agentcore',
  'n8n',
  'perplexity',
  'cline',
  'notion',
] as const;
export type ClientTemplateId = (typeof clientTemplateIds)[number];
