import { describe, expect, test } from 'vitest';
import { canonicalClientConfig } from './canonical-client-config.ts';
import { ClientConfig } from './client-config.ts';
import { clientConfigProblem } from './client-config-problem.ts';
import { clientTemplateIds } from './client-template-ids.ts';
import { clientTemplates, listClientTemplates, templateConfig } from './client-templates.ts';

describe.each(clientTemplateIds)('the template %s', (id) => {
  test('is a config that may be saved as it is', () => {
    const config = templateConfig(id);
    expect(ClientConfig.parse(config)).toEqual(config);
    expect(clientConfigProblem(config)).toBeUndefined();
    expect(config.modelId).toMatch(/^[a-z0-9-]+\/[a-z0-9.-]+$/);
    expect(config.systemPrompt).toMatch(/\.$/);
  });

  test('does not name the product in what the model reads', () => {
    expect(clientTemplates[id].systemPrompt.toLowerCase()).not.toContain(id);
  });

  test('differs by its theme alone when another is asked for', () => {
    const light = templateConfig(id);
    expect(light.hostContext['theme']).toBe('light');
    expect(templateConfig(id, 'dark')).toEqual({
      ...light,
      hostContext: { ...light.hostContext, theme: 'dark' },
    });
  });

  test('is made anew each time', () => {
    (templateConfig(id).clientCapabilities as { sampling?: unknown }).sampling = 'spoilt';
    expect(templateConfig(id).clientCapabilities['sampling']).not.toBe('spoilt');
  });
});

test('every template is a client of its own', () => {
  const texts = clientTemplateIds.map((id) => canonicalClientConfig(templateConfig(id)).text);
  expect(new Set(texts).size).toBe(clientTemplateIds.length);
});

test('the default client needs no key and declares nothing', () => {
  const { modelId, clientCapabilities } = templateConfig('proofmark');
  expect({ modelId, clientCapabilities }).toEqual({
    modelId: 'proofmark/lexical-1',
    clientCapabilities: {},
  });
});

test('what a client can be asked decides what it declares', () => {
  expect(templateConfig('vscode')).toMatchObject({
    clientCapabilities: {
      extensions: { 'io.modelcontextprotocol/ui': {} },
      elicitation: { form: {} },
      roots: { listChanged: true },
      sampling: {},
    },
    respectToolVisibility: true,
    mcpProfile: { mrtrSupport: 'full' },
  });
  expect(templateConfig('claude').mcpProfile?.mrtrSupport).toBe('none');
});

test('the list has every template once, with its published label', () => {
  expect(listClientTemplates().map(({ label }) => label)).toEqual([
    'Proofmark',
    'Claude',
    'Claude Code',
    'ChatGPT',
    'Mistral',
    'Goose',
    'Slackbot',
    'Cursor',
    'Codex',
    'Copilot',
    'VS Code',
    'AgentCore',
    'n8n',
    'Perplexity',
    'Cline',
    'Notion',
  ]);
});
