/** The sections of a server's page, each with its own address. */
import { Link } from '@tanstack/react-router';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { type Section, sections } from './server-sections.ts';

export function Sections(props: { ids: ServerIds; current: Section }) {
  return (
    <nav className="sections" aria-label="Sections of this server">
      {sections.map((section) => (
        <Link
          key={section}
          to="/projects/$projectId/servers/$serverId"
          params={props.ids}
          search={{ section }}
          aria-current={section === props.current ? 'page' : undefined}
          resetScroll={false}
          data-name={sectionNames[section]}
        >
          {sectionNames[section]}
        </Link>
      ))}
    </nav>
  );
}

const sectionNames: Readonly<Record<Section, string>> = {
  tools: 'Tools',
  prompts: 'Prompts',
  resources: 'Resources',
  doctor: 'Doctor',
  lint: 'Lint',
  settings: 'Settings',
};
