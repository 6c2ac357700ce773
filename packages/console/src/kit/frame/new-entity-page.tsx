/** The frame of every page that creates something: its title, its crumbs and what it is for. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageFrame } from './page-frame.tsx';
import { ProjectCrumbs } from './project-crumbs.tsx';
import type { ProjectSection } from './project-sections.ts';

/** What a page creates, and where it belongs; a project belongs to no project. */
export interface NewEntity {
  /** For people: "skill". */
  readonly what: string;
  readonly projectId?: string;
  readonly section?: Exclude<ProjectSection, 'overview'>;
}

export function NewEntityPage(props: {
  entity: NewEntity;
  /** Where it is more than "New …". */
  title?: string;
  intro?: ReactNode;
  width?: 'narrow';
  children: ReactNode;
}) {
  const { what, projectId, section } = props.entity;
  return (
    <PageFrame
      title={props.title ?? `New ${what}`}
      crumbs={
        projectId === undefined ? (
          <Link to="/projects">Projects</Link>
        ) : (
          <ProjectCrumbs projectId={projectId} {...(section !== undefined && { section })} />
        )
      }
      intro={props.intro}
      {...(props.width !== undefined && { width: props.width })}
    >
      {props.children}
    </PageFrame>
  );
}

/** Leads back to the list that the entity would have joined. */
export function CancelLink({ projectId, section }: NewEntity) {
  if (projectId === undefined) {
    return (
      <Link to="/projects" className="button">
        Cancel
      </Link>
    );
  }
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId }}
      search={section === undefined ? {} : { section }}
      className="button"
    >
      Cancel
    </Link>
  );
}
