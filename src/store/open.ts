/** Opens the database that the settings name. */

import type { Database } from './database.ts'

/**
 * A server where there is an address, else the folder; the driver of the other one is not loaded.
 * @throws DatabaseError
 */
export async function openDatabase(
  { DATABASE_URL: url, DATA_DIR: folder }: { readonly DATABASE_URL: string | null; readonly DATA_DIR: string },
  me: string,
): Promise<Database> {
  if (url === null) return (await import('./embedded.ts')).openEmbedded(folder, me)
  return (await import('./server.ts')).openServer(url, me)
}
