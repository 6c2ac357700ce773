import type { ExcludedTool } from '@proofmark/domain';
import { excludedToolText, whyExcluded } from '@proofmark/report';

/** Tools of servers that clients must hide. Renders nothing if there are none. */
export function ExcludedTools(props: {
  tools: readonly (ExcludedTool & { readonly serverName?: string })[];
}) {
  if (props.tools.length === 0) return null;
  return (
    <div className="excluded-tools">
      <p className="hint">{whyExcluded}</p>
      <ul>
        {props.tools.map((tool) => (
          <li key={`${tool.serverName} ${tool.toolName}`} className="foreign-text">
            {tool.serverName !== undefined && (
              <>
                <bdi>{tool.serverName}</bdi>,{' '}
              </>
            )}
            {excludedToolText(tool)}
          </li>
        ))}
      </ul>
    </div>
  );
}
