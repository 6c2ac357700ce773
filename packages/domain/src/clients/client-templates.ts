/**
 * A config to start from for each well-known client. Product names only say which client a template
 * resembles: the prompts are ours, and the models and declared abilities are a plausible start for
 * editing, not a claim about the product. No template names a harness, a computer or a server, so
 * each works in every project.
 */
import { assistantTemplates } from './assistant-templates.ts';
import type { ClientConfig } from './client-config.ts';
import type { Ability, ClientTemplate } from './client-template.ts';
import { type ClientTemplateId, clientTemplateIds } from './client-template-ids.ts';
import { coderTemplates } from './coder-templates.ts';
import { lexicalModelId } from './lexical-model.ts';
import { platformTemplates } from './platform-templates.ts';

export type ClientTheme = 'light' | 'dark';

export function templateConfig(id: ClientTemplateId, theme: ClientTheme = 'light'): ClientConfig {
  const template = clientTemplates[id];
  const { abilities, surface } = template;
  const showsApps = abilities.includes('apps');
  return {
    hostStyle: id,
    modelId: template.modelId,
    systemPrompt: template.systemPrompt,
    clientCapabilities: Object.assign({}, ...abilities.map((ability) => declarations[ability]())),
    hostContext: {
      theme,
      locale: 'en-US',
      platform: surface === 'web' ? 'web' : 'desktop',
      ...(showsApps ? { displayMode: 'inline', availableDisplayModes: ['inline'] } : {}),
    },
    ...(showsApps ? { respectToolVisibility: true } : {}),
    mcpProfile: {
      profileVersion: 1,
      mcpProtocolVersion: 'auto',
      paginationTraversal: 'full',
      // Only a client that can answer requests takes part in a call of several rounds.
      mrtrSupport: abilities.some((ability) => ability !== 'apps') ? 'full' : 'none',
    },
  };
}

export const clientTemplates: Readonly<Record<ClientTemplateId, ClientTemplate>> = {
  proofmark: {
    label: 'Proofmark',
    modelId: lexicalModelId,
    abilities: [],
    surface: 'terminal',
    systemPrompt: 'Use the tool that fits the request best. If none fits, say so.',
  },
  ...assistantTemplates,
  ...coderTemplates,
  ...platformTemplates,
};

/** Returns the templates as a list to choose from. */
export function listClientTemplates(): { id: ClientTemplateId; label: string; modelId: string }[] {
  return clientTemplateIds.map((id) => {
    const { label, modelId } = clientTemplates[id];
    return { id, label, modelId };
  });
}

/**
 * The declaration of each ability to a server. Each call returns a new object, so that no two
 * configs share one.
 */
const declarations: Readonly<Record<Ability, () => Record<string, unknown>>> = {
  apps: () => ({
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
  }),
  elicitation: () => ({ elicitation: { form: {} } }),
  roots: () => ({ roots: { listChanged: true } }),
  sampling: () => ({ sampling: {} }),
};
