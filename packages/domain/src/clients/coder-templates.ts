/** Clients in which a person writes programs. */
import type { ClientTemplate } from './client-template.ts';

const editor =
  'You help a programmer inside an editor. Use the tools to learn about the project before you answer. ' +
  'Prefer small changes and explain each in a sentence.';
const terminal =
  'You help a programmer in a terminal. Use the tools to find out what is true, do what was asked and no more, ' +
  'and report the outcome briefly.';

export const coderTemplates = {
  'claude-code': {
    label: 'Claude Code',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: ['elicitation', 'roots'],
    surface: 'terminal',
    systemPrompt: terminal,
  },
  codex: {
    label: 'Codex',
    modelId: 'openai/gpt-5-codex',
    abilities: ['elicitation'],
    surface: 'terminal',
    systemPrompt: terminal,
  },
  cursor: {
    label: 'Cursor',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: ['elicitation', 'roots'],
    surface: 'desktop',
    systemPrompt: editor,
  },
  vscode: {
    label: 'VS Code',
    modelId: 'openai/gpt-5',
    abilities: ['apps', 'elicitation', 'roots', 'sampling'],
    surface: 'desktop',
    systemPrompt: editor,
  },
  cline: {
    label: 'Cline',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: [],
    surface: 'desktop',
    systemPrompt: editor,
  },
} as const satisfies Record<string, ClientTemplate>;
