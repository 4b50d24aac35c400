/**
 * The sites whose answers are read by themselves: one row each. A row is all that an adapter is; README.md says how to
 * write one, and tests/e2e/fixtures/sites has a page for each. No row was tried on the live site: each follows what is
 * publicly known of its pages, as of the date it bears.
 */

/** The number of this table. Each change of a row raises it: adapters that were published before are then ignored. */
export const TABLE = 2;

/** Where a site's turns stand in its pages. */
export interface Selectors {
  /** An answer, or a document that the chatbot writes beside it: the element whose text is the chatbot's. */
  answer: string;
  /** A user's turn; the one before an answer is its question. */
  question: string;
  /**
   * What is in the page while the last answer is being written. A text that has just changed counts as unfinished
   * anyway.
   */
  streaming: string | null;
  /** Parts inside an answer that do not belong to it, such as a chain of thought. */
  except: string | null;
  /** When the row was last compared with what is known of the site, and with what. */
  asOf: string;
}

export interface Site extends Selectors {
  id: string;
  name: string;
  /** Where it lives; none for what people host themselves, whose addresses the reader gives. */
  origins: readonly string[];
  /** Marks of citations inside an answer: their words do not belong to it, and the sentence before cites their links. */
  citations: string | null;
  /** Paths of conversations: on these there must be an answer. */
  conversation: RegExp;
}

export const SITES: readonly Site[] = [
  {
    id: "chatgpt",
    name: "ChatGPT",
    origins: ["https://chatgpt.com"],
    // The second is a document beside the conversation.
    answer: '[data-message-author-role="assistant"], #prosemirror-editor-container .ProseMirror',
    question: '[data-message-author-role="user"]',
    streaming: '[data-testid="stop-button"]',
    except: null,
    citations: null,
    conversation: /^\/(?:g\/[^/]+\/)?c\/./,
    asOf: "2026-11, public code that reads it",
  },
  {
    id: "claude",
    name: "Claude",
    origins: ["https://claude.ai"],
    answer: "[data-is-streaming]",
    question: '[data-testid="user-message"]',
    streaming: '[data-is-streaming="true"]',
    except: null,
    citations: null,
    conversation: /^\/chat\/./,
    asOf: "2026-11, public code that reads it",
  },
  {
    id: "gemini",
    name: "Gemini",
    origins: ["https://gemini.google.com"],
    // The second is a report beside the conversation.
    answer: "model-response message-content, deep-research-immersive-panel message-content",
    question: "user-query .query-text",
    streaming: 'model-response [aria-busy="true"]',
    except: "model-thoughts",
    citations: null,
    conversation: /^\/(?:u\/\d+\/)?app\/./,
    asOf: "2026-11, public code that reads it",
  },
  {
    id: "copilot",
    name: "Copilot",
    origins: ["https://copilot.microsoft.com"],
    answer: '[data-content="ai-message"]',
    question: '[data-content="user-message"]',
    streaming: '[data-testid="stop-button"]',
    except: null,
    citations: null,
    conversation: /^\/chats\/./,
    asOf: "2026-11, public code that reads it",
  },
  {
    id: "perplexity",
    name: "Perplexity",
    origins: ["https://www.perplexity.ai"],
    answer: '[id^="markdown-content-"]',
    question: 'h1[class*="group/query"], [class*="group/query"] .select-text',
    streaming: '[data-testid="stop-generating-response-button"]',
    except: null,
    citations: ".citation",
    conversation: /^\/search\/./,
    asOf: "2026-11, public code that reads it",
  },
  {
    id: "open-webui",
    name: "Open WebUI",
    origins: [],
    answer: ".chat-assistant #response-content-container",
    question: ".chat-user",
    streaming: null,
    except: "details[type=reasoning], .thinking-block",
    citations: null,
    conversation: /^\/c\/./,
    asOf: "2026-11, its source: chat/Messages/{UserMessage,ResponseMessage}.svelte",
  },
  {
    id: "librechat",
    name: "LibreChat",
    origins: [],
    answer: ".agent-turn .message-content",
    question: ".user-turn .message-content",
    streaming: '[data-testid="stop-generation-button"], .agent-turn .submitting',
    except: null,
    citations: null,
    conversation: /^\/c\/(?!new\b)./,
    asOf: "2026-11, its source: Chat/Messages, Content/MessageContent.tsx",
  },
];

export const siteById = (id: string | null): Site | null => SITES.find((site) => site.id === id) ?? null;

/** Which adapter reads the pages of an origin; `hosts` has those of self-hosted sites. */
export function siteOf(origin: string, hosts: Record<string, string>): Site | null {
  return (
    SITES.find(({ origins }) => origins.includes(origin)) ??
    siteById(Object.hasOwn(hosts, origin) ? (hosts[origin] ?? null) : null)
  );
}

/** The patterns of all sites whose answers are read where their reader turns that on. */
export const sitePatterns = (hosts: Record<string, string>): string[] => [
  ...new Set([...SITES.flatMap(({ origins }) => origins), ...Object.keys(hosts)].map(patternOf)),
];

/** Whether a pattern stands for many hosts. */
export const isBroad = (pattern: string): boolean => /\/\/\*|^\*|^</.test(pattern);

/** The pattern by which a browser grants an origin. It names no port, for Firefox knows none there. */
export function patternOf(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}
