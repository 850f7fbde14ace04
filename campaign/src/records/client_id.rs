//! The number of a client within one campaign.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// The position of a client in the campaign's list of clients. It indexes every list with one entry per client. Stores
/// hold it as a plain number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientId(usize);

impl ClientId {
    /// The client at `index`, counted from 0.
    pub fn new(index: usize) -> Self {
        Self(index)
    }

    /// Returns the position, counted from 0.
    pub fn index(self) -> usize {
        self.0
    }

    /// Returns the ids of `count` clients, in order.
    pub fn all(count: usize) -> impl Iterator<Item = Self> {
        (0..count).map(Self)
    }
}

impl<T> Index<ClientId> for [T] {
    type Output = T;

    fn index(&self, client: ClientId) -> &T {
        &self[client.0]
    }
}

impl<T> IndexMut<ClientId> for [T] {
    fn index_mut(&mut self, client: ClientId) -> &mut T {
        &mut self[client.0]
    }
}

impl<T> Index<ClientId> for Vec<T> {
    type Output = T;

    fn index(&self, client: ClientId) -> &T {
        &self[client.0]
    }
}

impl<T> IndexMut<ClientId> for Vec<T> {
    fn index_mut(&mut self, client: ClientId) -> &mut T {
        &mut self[client.0]
    }
}
