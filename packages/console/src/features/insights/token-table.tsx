import { cleanText, grouped, type SurfaceTokens } from '@proofmark/domain';
import { tokenSentences, toolsByTokens } from '@proofmark/report';

const mostShown = 100;
const parts = ['name', 'description', 'schema', 'total'] as const;
const partWords = {
  name: 'Name',
  description: 'Description',
  schema: 'Input schema',
  total: 'Tokens',
} as const;

export function TokenTable({ tokens }: { tokens: SurfaceTokens }) {
  const tools = toolsByTokens(tokens);
  if (tools.length === 0) return null;
  const shown = tools.slice(0, mostShown);
  return (
    <details className="finding">
      <summary>{cleanText(tokenSentences(tokens).join(' '), false)}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            {parts.map((part) => (
              <th key={part} scope="col">
                {partWords[part]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((tool, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a server may list a name twice.
            <tr key={index}>
              <th scope="row">
                <bdi>{cleanText(tool.toolName, false)}</bdi>
                {tokens.servers.length > 1 && tool.serverName !== null && (
                  <span className="hint">
                    {' '}
                    <bdi>{cleanText(tool.serverName, false)}</bdi>
                  </span>
                )}
              </th>
              {parts.map((part) => (
                <td key={part} data-label={partWords[part]} className="figures">
                  {grouped(tool[part].o200k_base)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {tools.length > shown.length && (
        <p className="hint">{`The largest ${shown.length} of ${grouped(tools.length)} tools are shown.`}</p>
      )}
    </details>
  );
}
