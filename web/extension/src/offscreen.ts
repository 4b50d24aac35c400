/** The offscreen document that holds Chrome's desk; its address ends in the options. */

import { Desk } from "./desk.js";
import type { Order } from "./preferences.js";

const order = JSON.parse(decodeURIComponent(location.hash.slice(1))) as Order;
const desk = new Desk(order, (message) => void chrome.runtime.sendMessage(message));
chrome.runtime.onConnect.addListener((port) => desk.connect(port));
