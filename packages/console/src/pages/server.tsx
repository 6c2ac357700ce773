import '../styles/reference.css';
import '../styles/server.css';
import '../styles/doctor.css';
import '../styles/server-lists.css';
import '../styles/server-calls.css';
import { useParams, useSearch } from '@tanstack/react-router';
import { useProject } from '../data/projects.ts';
import { useDoctor } from '../data/server-calls.ts';
import type { ServerLocation } from '../data/server-lists.ts';
import { useServer } from '../data/servers.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { DoctorSection } from '../parts/server-page/doctor-section.tsx';
import { OverviewSection } from '../parts/server-page/overview-section.tsx';
import { PromptsSection } from '../parts/server-page/prompts-section.tsx';
import { ResourcesSection } from '../parts/server-page/resources-section.tsx';
import { Sections } from '../parts/server-page/sections.tsx';
import { ToolsSection } from '../parts/server-page/tools-section.tsx';

const route = '/signed-in/projects/$projectId/servers/$serverId';

export function ServerDetailPage() {
  const place = useParams({ from: route });
  // What was found out about one server must not be shown as another's.
  return <OneServer key={place.serverId} place={place} />;
}

function OneServer({ place }: { place: ServerLocation }) {
  const { section, item } = useSearch({ from: route });
  const server = useServer(place.projectId, place.serverId);
  const project = useProject(place.projectId);
  // Held here, so that an examination goes on while another section is looked at.
  const doctor = useDoctor(place);
  return (
    <PageFrame
      title={server.data?.name ?? 'Server'}
      crumbs={<ProjectCrumbs projectId={place.projectId} />}
    >
      <QueryView query={server}>
        {(found) => (
          <>
            <Sections place={place} />
            {section === undefined && (
              <QueryView query={project}>
                {({ role }) => <OverviewSection server={found} role={role} />}
              </QueryView>
            )}
            {section === 'doctor' && <DoctorSection doctor={doctor} place={place} />}
            {section === 'tools' && <ToolsSection place={place} item={item} />}
            {section === 'prompts' && <PromptsSection place={place} item={item} />}
            {section === 'resources' && <ResourcesSection place={place} item={item} />}
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}
