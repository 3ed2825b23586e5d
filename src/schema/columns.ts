/** The columns that tables share. */

import { bigint, text, timestamp } from 'drizzle-orm/pg-core'

export const workspaceId = () => text('workspace_id').notNull()
export const personId = () => text('person_id').notNull()
export const identity = (name: string) => bigint(name, { mode: 'number' }).notNull().generatedByDefaultAsIdentity()
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
