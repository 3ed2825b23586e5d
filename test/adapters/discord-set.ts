/** Discord's adapter on a fake Discord, with a bot that does what the test says. */

import { afterEach } from 'vitest'
import { createDiscord, type DiscordOptions } from '../../adapters/discord.ts'
import type { Bot, Edit, IncomingMessage, Outbox, Platform, Rating, Removal } from '../../src/adapter.ts'
import { type DiscordSettings, type FakeDiscord, startDiscord } from '../fakes/discord.ts'

export interface HeardBot extends Bot {
  readonly received: IncomingMessage[]
  readonly rated: Rating[]
  readonly edited: Edit[]
  readonly removed: Removal[]
  readonly tenure: string[]
}

export function createHeardBot(): HeardBot {
  const known = new Set<string>()
  const note = async <T extends { readonly id: string }>(list: T[], item: T) => {
    if (known.has(item.id)) return false
    known.add(item.id)
    list.push(item)
    return true
  }
  const bot: HeardBot = {
    received: [],
    rated: [],
    edited: [],
    removed: [],
    tenure: [],
    receive: (message) => note(bot.received, message),
    rate: (rating) => note(bot.rated, rating),
    edit: (edit) => note(bot.edited, edit),
    remove: (removal) => note(bot.removed, removal),
    takesPart: async () => false,
    left: async (workspace) => void bot.tenure.push(`left ${workspace}`),
    joined: async (workspace) => void bot.tenure.push(`joined ${workspace}`),
    idle: async () => {},
  }
  return bot
}

export interface KeptOutbox extends Outbox {
  readonly steps: string[]
}

export function createOutbox(posts: Outbox['posts'] = []): KeptOutbox {
  const steps: string[] = []
  return {
    posts,
    steps,
    begin: async (part) => void steps.push(`begin ${part}`),
    posted: async (part, id) => void steps.push(`posted ${part} ${id}`),
  }
}

export interface Running {
  readonly discord: FakeDiscord
  readonly platform: Platform
  readonly bot: HeardBot
  readonly warnings: string[]
  /** Settles as `run` does. */
  readonly ended: Promise<unknown>
  stop(): Promise<unknown>
}

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A fake Discord; it is closed with the test. */
export async function fakeDiscord(options: DiscordSettings = {}): Promise<FakeDiscord> {
  const discord = await startDiscord(options)
  open.push(() => discord.close())
  return discord
}

/** The adapter, running. */
export function runOn(discord: FakeDiscord, bot = createHeardBot(), options: Partial<DiscordOptions> = {}): Running {
  const warnings: string[] = []
  const stopping = new AbortController()
  const platform = createDiscord({
    token: discord.token,
    apiUrl: discord.api,
    shards: null,
    shardCount: null,
    warn: (facts, text) => warnings.push(`${text} ${JSON.stringify(facts)}`),
    ...options,
  })
  const ended = platform.run(bot, stopping.signal).catch((error: unknown) => error)
  const stop = () => {
    stopping.abort()
    return ended
  }
  open.push(stop)
  return { discord, platform, bot, warnings, ended, stop }
}

/** A server with a channel and two people, and the adapter connected to it. */
export async function teaHouse(options: DiscordSettings = {}) {
  const discord = await fakeDiscord(options)
  const guild = discord.guild('Tea house')
  const channel = discord.channel(guild, 'general')
  const ann = discord.user('Ann')
  const bob = discord.user('Bob')
  discord.member(guild, ann)
  discord.member(guild, bob, { nick: 'Bobby' })
  const running = runOn(discord)
  await discord.until('the adapter is connected', () => discord.sessions.size > 0 && running.bot.tenure.length > 0)
  const mention = `<@${discord.bot.id}>`
  /** What the bot answers to the last message. */
  const answer = (text: string, outbox = createOutbox(), isPrivate = false) => {
    const message = running.bot.received.at(-1)!
    const draft = running.platform.open([message.destination], message.id, outbox)
    return draft.finish({ text, isPrivate })
  }
  return { ...running, guild, channel, ann, bob, mention, answer }
}
